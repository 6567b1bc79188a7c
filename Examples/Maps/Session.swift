// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsTracing

/// The script with Ada's actions in order, and the traces of two actions.
@MainActor
struct Session {
    private let center: MessageCenter
    private let app: MapsApp

    init(center: MessageCenter) {
        print("> The app starts")
        self.center = center
        app = MapsApp(center: center)
    }

    /// Plays the script and prints the number of observations at the end.
    func play() async {
        begin()
        let search = await traced {
            act("She accepts the suggestion", app.searchBox.acceptSuggestion)
        }
        let route = await traced {
            act("She requests directions", app.directions.requestDirections)
        }
        lookAround()
        searchWithoutResult()
        act("She logs out", app.context.logOut)

        print("\nThe trace of the search\n\(search)")
        print("\nThe trace of the route\n\(route)")
        print("\nWhile the app runs\n  \(center.leakReport().count) observations")
        withExtendedLifetime(app) {}
    }

    private func begin() {
        act("Ada logs in") { app.context.logIn(User(name: "Ada")) }
        act("She chooses a basemap") { app.context.choose(.topographic) }
        act("She opens a web map") { app.context.open(WebMap(title: "Walks on Tarsay")) }
        act("She types “o”") { app.searchBox.type("o") }
        act("She types “ol”") { app.searchBox.type("ol") }
    }

    private func lookAround() {
        act("She taps near the stones") { app.map.tap(Position(east: 2_850, north: 2_990)) }
        act("She taps the sea") { app.map.tap(Position(east: 600, north: 300)) }
        act("She requests directions", app.directions.requestDirections)
    }

    private func searchWithoutResult() {
        act("She searches for a chapel on an islet") { app.searchBox.search("Holm Chapel") }
        act("She requests directions", app.directions.requestDirections)
        act("She searches for Atlantis") { app.searchBox.search("Atlantis") }
    }

    private func act(_ text: String, _ action: () -> Void) {
        print("\n> \(text)")
        action()
    }

    /// Returns the deliveries that an action causes.
    private func traced(_ action: () -> Void) async -> TraceTree {
        let trace = center.trace()
        action()
        // The recorded deliveries can still be read, and then the sequence ends.
        trace.cancel()
        var deliveries: [DeliveryRecord] = []
        for await delivery in trace { deliveries.append(delivery) }
        return TraceTree(deliveries)
    }
}
