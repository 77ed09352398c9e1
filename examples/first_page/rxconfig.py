import reflex as rx

from reflex_agentkit.plugin import AgentKitPlugin

config = rx.Config(
    app_name="first_page",
    plugins=[rx.plugins.RadixThemesPlugin(), AgentKitPlugin()],
    disable_plugins=[rx.plugins.SitemapPlugin],
    telemetry_enabled=False,
)
