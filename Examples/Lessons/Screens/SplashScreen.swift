// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The screen at the start, which observes the two messages of the catalog.
@MainActor
final class SplashScreen {
    private let pane = Pane("splash")

    init(center: MessageCenter) {
        center.messages(.catalogLoaded).observe(owner: self, on: .main) { splash, _ in
            splash.pane.show("Welcome!")
        }
        center.messages(.catalogFailed).observe(owner: self, on: .main) { splash, failure in
            splash.pane.show("Welcome! \(failure.message)")
        }
        pane.show("One moment, please …")
    }
}
