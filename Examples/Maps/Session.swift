// SPDX-License-Identifier: Apache-2.0
import Tidings

/// What Ada does, one action after the other, and the traces of two of them.
@MainActor
struct Session {
    private let center: MessageCenter
    private let app: MapsApp

    init(center: MessageCenter) {
        print("> The app starts")
        self.center = center
        app = MapsApp(center: center)
    }

    /// Plays it once, and says how many observe at the end of it.
    func play() async {
        begin()
        let search = await traced { act("She takes the suggestion", app.searchBox.takeSuggestion) }
        let route = await traced { act("She asks the way", app.directions.askTheWay) }
        lookAround()
        searchInVain()
        act("She logs out", app.context.logOut)

        print("\nThe search, as the center saw it\n\(search)")
        print("\nThe route, as the center saw it\n\(route)")
        print("\nWhile the app is there\n  \(center.leakReport().count) observations")
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
        act("She asks the way", app.directions.askTheWay)
    }

    private func searchInVain() {
        act("She searches for a chapel, on an islet") { app.searchBox.search("Holm Chapel") }
        act("She asks the way", app.directions.askTheWay)
        act("She searches for Atlantis") { app.searchBox.search("Atlantis") }
    }

    private func act(_ text: String, _ action: () -> Void) {
        print("\n> \(text)")
        action()
    }

    /// Returns what the center delivered because of an action.
    private func traced(_ action: () -> Void) async -> TraceTree {
        let trace = center.trace()
        action()
        // What it has noted can still be read; then it ends, and the loop with it.
        trace.cancel()
        var deliveries: [DeliveryRecord] = []
        for await delivery in trace { deliveries.append(delivery) }
        return TraceTree(deliveries)
    }
}
