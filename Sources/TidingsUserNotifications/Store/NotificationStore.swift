// SPDX-License-Identifier: Apache-2.0

/// Where a center keeps between two runs of a program what must not be lost.
///
/// That is the person's answer, the requests whose time has not come, what was delivered, and the
/// badge. All of it is one ``NotificationRecord`` that changes in transactions. A store that
/// touches the disk does so on a queue of its own. The contract suite `NotificationStoreContract`
/// of `TidingsTesting` says what a store must keep, and tries it.
public protocol NotificationStore: Sendable {
    /// Hands over where to tell that something unreadable was found and set aside.
    ///
    /// A center calls this before anything else. A store that cannot find such a thing needs none.
    func start(_ report: @escaping @Sendable (NotificationStoreSetAside) -> Void)

    /// The folder for copies of the files that come with notifications; nil for no copies.
    ///
    /// It belongs to the record as long as the store does, is made when it is missing, and lies on
    /// a disk of the system. A store that wraps another one passes this on.
    var attachmentFolder: String? { get }

    /// Returns the newest record; an empty one when nothing was ever stored.
    func read() async throws -> NotificationRecord

    /// Changes the record in one step that happens completely or not at all.
    ///
    /// No other transaction runs meanwhile, not even one of another process that has the same
    /// store. When this returns, the next start finds the change; when it throws, everything is
    /// as it was.
    ///
    /// - Parameter body: Changes the newest record; what it throws is passed on.
    /// - Returns: What the body returns.
    /// - Throws: What the body throws, or why nothing could be stored.
    func update<Result: Sendable>(
        _ body: @escaping @Sendable (inout NotificationRecord) throws -> Result
    ) async throws -> Result
}

extension NotificationStore {
    /// Nothing is ever set aside.
    public func start(_ report: @escaping @Sendable (NotificationStoreSetAside) -> Void) {}

    /// Nothing is copied: notifications name the caller's files.
    public var attachmentFolder: String? { nil }
}
