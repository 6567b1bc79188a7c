// SPDX-License-Identifier: Apache-2.0

/// Keeps a derived publisher alive for one of its observations.
///
/// The source refers to the derived publisher, and not the observation: a publisher that its own
/// observations kept alive would outlive an owner that dies when nothing changes any more.
final class DerivedHold: Sendable {
    private weak let source: StateDelivery?

    init(_ derived: any AnyObject & Sendable, by source: StateDelivery) {
        self.source = source
        source.hold(derived, for: ObjectIdentifier(self))
    }

    /// Releases the derived publisher; has no effect the second time.
    func release() {
        source?.release(ObjectIdentifier(self))
    }

    deinit { release() }
}
