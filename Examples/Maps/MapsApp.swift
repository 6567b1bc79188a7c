// SPDX-License-Identifier: Apache-2.0
import Tidings

/// The one place that knows every object: it makes them, and introduces none to another.
@MainActor
struct MapsApp {
    let context: AppContext
    let searchBox: SearchBox
    let map: MapView
    let directions: DirectionsPanel
    /// Those that nobody asks for anything; they live as long as the app.
    private let others: [AnyObject]

    init(center: MessageCenter) {
        // Those who hear the same message hear it in the order in which they are made here.
        let statusBar = StatusBar(center: center)
        searchBox = SearchBox(center: center)
        map = MapView(center: center)
        let feedback = FeedbackPanel(center: center)
        directions = DirectionsPanel(center: center, start: .ferryPier)
        context = AppContext(center: center)
        others = [
            statusBar,
            feedback,
            SearchService(center: center, gazetteer: .tarsay),
            GeocodeService(center: center, gazetteer: .tarsay),
            RouteService(center: center, roads: .tarsay),
        ]
    }
}
