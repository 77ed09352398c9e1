"""Every component in every situation, with canned views and no agent."""

import reflex as rx

config = rx.Config(
    app_name="gallery",
    plugins=[rx.plugins.RadixThemesPlugin(theme=rx.theme(accent_color="indigo", radius="large"))],
    disable_plugins=[rx.plugins.SitemapPlugin],
    # The accessibility check that the tests run on these pages.
    frontend_packages=["axe-core@4.14.1"],
    show_built_with_reflex=False,
    telemetry_enabled=False,
)
