import reflex as rx

from reflex_agentkit.plugin import AgentKitPlugin

config = rx.Config(
    app_name="travel",
    plugins=[
        rx.plugins.RadixThemesPlugin(theme=rx.theme(accent_color="teal", gray_color="sage", radius="large")),
        AgentKitPlugin(),
    ],
    disable_plugins=[rx.plugins.SitemapPlugin],
    show_built_with_reflex=False,
    telemetry_enabled=False,
)
