// SPDX-License-Identifier: Apache-2.0

/// How a resource keeps its data fresh.
///
/// ```swift
/// let options = ResourceOptions(staleAfter: .seconds(60), retry: .backoff())
/// ```
public struct ResourceOptions: Sendable {
    /// The age at which data counts as stale; nil if age does not matter.
    public var staleAfter: Duration?
    /// What is done about a load that failed.
    public var retry: RetryPolicy
    /// How often the data is loaded again while anybody observes it; nil for never.
    ///
    /// Longer than zero.
    public var refreshInterval: Duration?
    /// How long data is kept after its last observer has left; nil for ever.
    ///
    /// Owners that died are looked for once in that time and at most once a second, so for them it
    /// may take that much longer. A stored copy stays.
    public var keepsDataFor: Duration?
    /// The duration after which a load counts as slow; nil if none does.
    ///
    /// ``StatePublisher/isSlow`` then becomes true and observers receive the state again.
    public var slowAfter: Duration?

    /// Creates options.
    ///
    /// - Parameters:
    ///   - staleAfter: The age at which data counts as stale; never, unless stated.
    ///   - retry: What is done about a load that failed; nothing, unless stated.
    ///   - refreshInterval: How often data is loaded again while it is observed, longer than zero;
    ///     never, unless stated.
    ///   - keepsDataFor: How long data is kept without observers; for ever, unless stated.
    ///   - slowAfter: The duration after which a load counts as slow; none does, unless stated.
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
