"""The longer texts of the scripted travel agent."""

GREETING = "Hello! I am a **scripted** travel agent: no model, no key, but real tools and real pauses.\n\n"

MENU = """\
Try one of these:

- *Book a hotel in Lisbon for 2 nights* — I ask before I book
- *Book hotels in Rome, Paris and Oslo* — three approvals at once
- *Help me choose a room in Porto* — a question, then an approval
- *How is the weather in Kyoto?* — needs no permission
- *Write me a long guide to Lisbon* — Markdown as it streams
- *Cancel my booking in Faro* — a tool that fails
- *Lose the connection* — a run that fails, and can be tried again
"""

GUIDE = """\
# Three days in Lisbon

Lisbon is a city of **seven hills**, so bring good shoes. Distances are short, views are long, and the best
plan leaves room for *getting lost*.

## Day 1: the old town

1. Start at the **Praça do Comércio**, before the crowds.
2. Walk up through Alfama to the castle. It is steep and worth it.
3. Rest at a *miradouro* with something cold.

> Trams look romantic and are full. Walk up, ride down.

## Day 2: along the river

| When | Where | How long |
|---|---|---|
| 9:00 | Belém Tower | 1 hour |
| 10:30 | Jerónimos Monastery | 2 hours |
| 13:00 | Custard tarts | as many as you like |
| 15:00 | The museum by the water | 2 hours |

## Day 3: out of town

Take the train to **Sintra**. Go early, and choose *two* palaces, not five:

- Pena, for the colours
- Monserrate, for the garden
    - the park is better after rain
    - the café is better before noon

### What it costs

```python
tickets = {"train": 4.60, "Pena": 20.00, "Monserrate": 12.00}
total = sum(tickets.values())
print(f"{total:.2f} euros a person")  # 36.60
```

Shall I book a hotel? Just say *book a hotel in Lisbon for 3 nights*.
"""
