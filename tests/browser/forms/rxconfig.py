"""The app of the form tests: one agent that asks by cards and schemas."""

import reflex as rx

from reflex_agentkit.plugin import AgentKitPlugin

config = rx.Config(
    app_name="forms",
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
