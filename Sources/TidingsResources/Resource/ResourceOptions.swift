// SPDX-License-Identifier: Apache-2.0

/// The rules by which a resource keeps data fresh.
///
/// ```swift
/// let options = ResourceOptions(staleAfter: .seconds(60), retry: .backoff())
/// ```
public struct ResourceOptions: Sendable {
    /// The age at which data counts as stale, or nil if age does not matter.
    package var staleAfter: Duration?
    /// Whether and when a failed load is retried.
    package var retry: RetryPolicy
    /// The interval at which observed data is loaded again, or nil for never.
    ///
    /// An interval must be longer than zero.
    package var refreshInterval: Duration?
    /// How long data is kept after the last observer has left, or nil for ever.
    ///
    /// The resource looks for expired owners once in that time, but at most once a second. So the
    /// data of expired owners may stay longer by that interval. A stored copy stays.
    package var keepsDataFor: Duration?
    /// The duration after which a load counts as slow, or nil for no limit.
    ///
    /// After that duration, ``Tidings/StatePublisher/isSlow`` becomes true and observers receive
    /// the state again.
    package var slowAfter: Duration?

    /// Creates options.
    ///
    /// - Parameters:
    ///   - staleAfter: The age at which data counts as stale. By default, data never becomes stale
    ///     by age.
    ///   - retry: Whether and when a failed load is retried. By default, no load is retried.
    ///   - refreshInterval: The interval at which observed data is loaded again, longer than zero,
    ///     or never by default.
    ///   - keepsDataFor: How long data is kept without observers. The default is for ever.
    ///   - slowAfter: The duration after which a load counts as slow. By default, no load is slow.
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
