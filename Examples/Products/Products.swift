// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsResources

/// A shop that shows products, coupons and the customer's location, each from a different source.
///
/// Read `Publishing` first, which has three sources with a publisher each. Two sources load with a
/// `Resource`, and one is written by hand. Then read `Screens`, which need no loading enum, no
/// loading flag and no list of listeners. `Environment` simulates the servers, the device that
/// finds the customer, and the clock. `Session` is the script.
@main
struct Products {
    @MainActor
    static func main() async {
        var session: Session? = Session()
        await session?.play()
        let teardownCheck = session?.teardownCheck
        session = nil
        await teardownCheck?.report()
    }
}
