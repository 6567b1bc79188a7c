// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsTracing

/// Maps: a user searches for a place on an island and for directions, and panels are independent.
///
/// Read `Messages` first, because the objects share nothing else. Then read a panel and a service,
/// which are connected only by the center that each object receives. `Facade` shows how a team
/// wraps the message types in custom functions. `Session` is the script, and `TraceTree` shows the
/// causes.
@main
struct Maps {
    @MainActor
    static func main() async {
        let center = MessageCenter()
        await Session(center: center).play()

        // The session has released the app, and no part has unsubscribed.
        print("\nAfter the session")
        print("  \(center.leakReport())")
        print("  recipients of a search: \(center.post(SearchRequested(name: "Old Mill")))")
    }
}
