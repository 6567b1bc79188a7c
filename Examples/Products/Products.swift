// SPDX-License-Identifier: Apache-2.0
import Tidings

/// A shop that shows products, coupons and where its customer is, each loaded from somewhere else.
///
/// Read `Publishing` first: three sources, each with a publisher of what it knows, two of them a
/// `Resource` and one written by hand. Then read `Screens`: no loading enum of its own, no flag that
/// says whether something loads, no list of listeners. `Surroundings` is the world outside: servers
/// that answer when told to, a device that finds the customer, a clock that is set by hand.
/// `Session` says what happens.
@main
struct Products {
    @MainActor
    static func main() async {
        var session: Session? = Session()
        await session?.play()
        let farewell = session?.farewell
        session = nil
        await farewell?.report()
    }
}
