// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Sees to it that nothing of an app is left when it is closed.
@MainActor
struct Farewell {
    private let objects: [(name: String, object: WeakObject)]
    /// Ends with the catalogue's publisher, and does not keep it.
    private let states: ObservationSequence<LoadState<[LessonGroup]>>

    init(to app: LessonsApp) {
        let all: [(String, AnyObject?)] = [
            ("catalogue", app.catalogue), ("repository", app.downloads), ("badge", app.badge),
            ("network", app.banner), ("backup", app.backup), ("splash", app.splash),
            ("lessons", app.list), ("downloads", app.downloadsScreen), ("player", app.player),
        ]
        objects = all.compactMap { name, object in object.map { (name, WeakObject($0)) } }
        states = app.catalogue.lessons.states
    }

    /// Says what is left of the app, and who observes.
    func report(_ center: MessageCenter) async {
        print("\n> The app is closed")
        for (name, object) in objects { Pane(name).show(object.isGone ? "gone" : "still there") }
        if objects.allSatisfy(\.object.isGone) {
            // The thread that has brought the last answer may still be on its way out.
            for await _ in states {}
            Pane("publisher").show("gone, with everybody who observed the catalogue")
        }
        Pane("center").show("\(center.leakReport())")
    }

    private struct WeakObject {
        private weak let object: AnyObject?
        init(_ object: AnyObject) { self.object = object }
        var isGone: Bool { object == nil }
    }
}
