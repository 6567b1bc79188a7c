// SPDX-License-Identifier: Apache-2.0

/// The place where a center keeps data between two runs of a program.
///
/// The data are the user's answer, the pending requests, the delivered notifications and the badge,
/// in one ``NotificationRecord`` that changes in transactions. A store that touches the disk uses a
/// separate queue. The suite `NotificationStoreContract` of `TidingsUserNotificationsTesting` lists
/// and tests the requirements.
package protocol NotificationStore: Sendable {
    /// Sets the closures to call after something has happened to the store.
    ///
    /// A center calls this before anything else. A store that sets nothing aside and that no other
    /// process changes can use the default implementation.
    ///
    /// - Parameters:
    ///   - setAside: Called after the store has set aside unreadable data.
    ///   - changed: Called soon after another store, for example in another process, has changed
    ///     the record.
    func start(
        setAside: @escaping @Sendable (NotificationStoreSetAside) -> Void,
        changed: @escaping @Sendable () -> Void
    )

    /// The folder for copies of attached files, or nil for no copies.
    ///
    /// The center owns the folder as long as the store exists, and creates a missing folder. The
    /// folder has to be on a local disk. A store that wraps another store returns the folder of the
    /// wrapped store.
    var attachmentFolder: String? { get }

    /// Returns the newest record, or an empty one if nothing has been stored.
    func read() async throws -> NotificationRecord

    /// Changes the record in one transaction.
    ///
    /// No other transaction runs at the same time, not even in another process with the same store.
    /// When this returns, the next start finds the change. If the call throws, the record is
    /// unchanged.
    ///
    /// - Parameter body: Changes the newest record. The store rethrows errors of the body.
    /// - Returns: The result of the body.
    /// - Throws: The error of the body, or the reason why the change could not be stored.
    func update<Result: Sendable>(
        _ body: @escaping @Sendable (inout NotificationRecord) throws -> Result
    ) async throws -> Result
}

extension NotificationStore {
    /// Does nothing, because nothing happens to this store.
    package func start(
        setAside: @escaping @Sendable (NotificationStoreSetAside) -> Void,
        changed: @escaping @Sendable () -> Void
    ) {}

    /// Nil, so that notifications use the caller's files.
    package var attachmentFolder: String? { nil }
}
