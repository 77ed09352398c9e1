"""The times that are offered."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

ZONE = ZoneInfo("America/Los_Angeles")


def candidate_slots() -> list[dict[str, str]]:
    """Tomorrow and the Monday after it, each with a label for a person and an exact time."""
    today = datetime.now(ZONE)
    tomorrow = today + timedelta(days=1)
    monday = tomorrow + timedelta(days=(7 - tomorrow.weekday()) % 7 or 7)
    offered = [
        ("Tomorrow 10:00 AM", tomorrow, time(10)),
        ("Tomorrow 2:00 PM", tomorrow, time(14)),
        ("Monday 9:00 AM", monday, time(9)),
        ("Monday 3:30 PM", monday, time(15, 30)),
    ]
    return [
        {"label": label, "iso": datetime.combine(day.date(), at, ZONE).isoformat()}
        for label, day, at in offered
    ]
