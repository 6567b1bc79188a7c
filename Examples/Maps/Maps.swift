// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Maps: a person looks for a place on an island and asks the way, and no panel knows another.
///
/// Read `Messages` first: that is all that the objects share. Then read a panel and a service:
/// between them is only the center that each was handed. `Facade` shows how a team puts functions
/// of its own before the message types. `Session` says what happens, `TraceTree` shows why.
@main
struct Maps {
    @MainActor
    static func main() async {
        let center = MessageCenter()
        await Session(center: center).play()

        // The app is gone with its session, and nothing was unsubscribed by hand.
        print("\nAfter the session")
        print("  \(center.leakReport())")
        print("  recipients of a search: \(center.post(SearchRequested(name: "Old Mill")))")
    }
}
