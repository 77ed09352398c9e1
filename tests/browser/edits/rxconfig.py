"""The app of the editing tests: one agent that proposes calls, and a page that shows any schema."""

import reflex as rx

from reflex_agentkit.plugin import AgentKitPlugin

config = rx.Config(
    app_name="edits",
    plugins=[
        rx.plugins.RadixThemesPlugin(theme=rx.theme(accent_color="indigo", radius="large")),
        AgentKitPlugin(),
    ],
    disable_plugins=[rx.plugins.SitemapPlugin],
    # The accessibility check that the tests run on these pages.
    frontend_packages=["axe-core@4.14.1"],
    show_built_with_reflex=False,
    telemetry_enabled=False,
)
