// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Creates all objects of the app, which have no references to each other.
@MainActor
struct MapsApp {
    let context: AppContext
    let searchBox: SearchBox
    let map: MapView
    let directions: DirectionsPanel
    /// Parts that only observe and that the app retains.
    private let others: [AnyObject]

    init(center: MessageCenter) {
        // Observers of the same message are called in the order of their creation here.
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
