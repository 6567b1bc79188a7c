// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsTracing

/// Checks that all objects of an app are released when the app is closed.
@MainActor
struct TeardownCheck {
    private let objects: [(name: String, object: WeakObject)]
    /// A sequence that ends with the catalog's publisher, without retaining the publisher.
    private let states: ObservationSequence<LoadState<[LessonGroup]>>

    init(of app: LessonsApp) {
        let all: [(String, AnyObject?)] = [
            ("catalog", app.catalog), ("repository", app.downloads), ("badge", app.badge),
            ("network", app.banner), ("backup", app.backup), ("splash", app.splash),
            ("lessons", app.list), ("downloads", app.downloadsScreen), ("player", app.player),
        ]
        objects = all.compactMap { name, object in object.map { (name, WeakObject($0)) } }
        states = app.catalog.lessons.states.values
    }

    /// Prints the remaining objects of the app, and the center's observations.
    func report(_ center: MessageCenter) async {
        print("\n> The app is closed")
        for (name, object) in objects {
            Pane(name).show(object.isReleased ? "gone" : "still there")
        }
        if objects.allSatisfy(\.object.isReleased) {
            // The thread that delivered the last response may still hold the publisher.
            for await _ in states {}
            Pane("publisher").show("gone, with all observers of the catalog")
        }
        Pane("center").show("\(center.leakReport())")
    }

    private struct WeakObject {
        private weak let object: AnyObject?
        init(_ object: AnyObject) { self.object = object }
        var isReleased: Bool { object == nil }
    }
}
