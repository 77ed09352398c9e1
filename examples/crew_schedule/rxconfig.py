import reflex as rx

from reflex_agentkit.plugin import AgentKitPlugin

config = rx.Config(
    app_name="crew_schedule",
    plugins=[rx.plugins.RadixThemesPlugin(), AgentKitPlugin()],
    disable_plugins=[rx.plugins.SitemapPlugin],
    show_built_with_reflex=False,
    telemetry_enabled=False,
)
