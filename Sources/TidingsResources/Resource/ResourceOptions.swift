// SPDX-License-Identifier: Apache-2.0
import Tidings

/// How a resource keeps its data fresh.
///
/// ```swift
/// let options = ResourceOptions(staleAfter: .seconds(60), retry: .backoff())
/// ```
public struct ResourceOptions: Sendable {
    /// The age at which data counts as stale; nil if age does not matter.
    package var staleAfter: Duration?
    /// Whether and when a failed load is retried.
    package var retry: RetryPolicy
    /// The interval at which data is loaded again while it has observers; nil for never.
    ///
    /// Must be longer than zero.
    package var refreshInterval: Duration?
    /// How long data is kept after its last observer has left; nil for ever.
    ///
    /// The resource looks for expired owners once in that time, but at most once a second, so it
    /// may keep the data of expired owners longer by that interval. A stored copy stays.
    package var keepsDataFor: Duration?
    /// The duration after which a load counts as slow; nil if there is no limit.
    ///
    /// When a load exceeds it, ``Tidings/StatePublisher/isSlow`` becomes true and observers receive
    /// the state again.
    package var slowAfter: Duration?

    /// Creates options.
    ///
    /// - Parameters:
    ///   - staleAfter: The age at which data counts as stale; never by default.
    ///   - retry: Whether and when a failed load is retried; never by default.
    ///   - refreshInterval: The interval at which data is loaded again while it has observers,
    ///     longer than zero; never by default.
    ///   - keepsDataFor: How long data is kept without observers; for ever by default.
    ///   - slowAfter: The duration after which a load counts as slow; no limit by default.
    public init(
        staleAfter: Duration? = nil,
        retry: RetryPolicy = .never,
        refreshInterval: Duration? = nil,
        keepsDataFor: Duration? = nil,
        slowAfter: Duration? = nil
    ) {
        self.staleAfter = staleAfter
        self.retry = retry
        self.refreshInterval = refreshInterval
        self.keepsDataFor = keepsDataFor
        self.slowAfter = slowAfter
    }
}
