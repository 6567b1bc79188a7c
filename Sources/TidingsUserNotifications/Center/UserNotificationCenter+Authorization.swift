// SPDX-License-Identifier: Apache-2.0
import Tidings

extension UserNotificationCenter {
    /// Returns when notifications are allowed; asks the person if nobody has answered yet.
    ///
    /// The question is asked once: its answer is stored, and no later start asks again. Callers
    /// that arrive meanwhile await the same answer. A question closed without an answer throws
    /// `.unanswered` and comes again at the next need.
    ///
    /// - Parameter options: What is asked for.
    /// - Throws: ``UserNotificationError``: `.denied`, `.unanswered`, `.cancelled`, `.storeFailed`.
    public func requestAuthorization(
        _ options: AuthorizationOptions = [.alert, .sound, .badge]
    ) async throws(UserNotificationError) {
        try await desk.request(options)
        await started()
        let isNew = state.withLock { state in
            defer { state.allowed = state.allowed ?? options }
            return state.allowed == nil
        }
        if isNew { save() }
    }

    /// Returns what the person has answered so far, without asking.
    ///
    /// It is ``AuthorizationStatus/unavailable`` when the person has allowed notifications and
    /// nobody shows them now; ``AuthorizationChanged`` tells when that becomes another.
    ///
    /// - Throws: ``UserNotificationError`` with `.storeFailed` when that cannot be known.
    public func authorizationStatus() async throws(UserNotificationError) -> AuthorizationStatus {
        try await desk.status()
    }

    /// Returns what is allowed and what of it can be shown now, without asking.
    ///
    /// - Throws: ``UserNotificationError`` with `.storeFailed` when that cannot be known.
    public func settings() async throws(UserNotificationError) -> NotificationSettings {
        let status = try await authorizationStatus()
        let features = backend.features
        let allowed = status == .authorized ? state.withLock(\.allowed) ?? .all : []
        return NotificationSettings(
            status: status,
            features: features,
            alert: allowed.contains(.alert),
            sound: allowed.contains(.sound) && features.contains(.sound),
            badge: allowed.contains(.badge) && features.contains(.badge)
        )
    }

    /// Stores an answer that the person gave elsewhere, as in the program's settings.
    ///
    /// It holds at once and ends an open question, whose waiters get it.
    ///
    /// - Throws: ``UserNotificationError`` with `.storeFailed`; the answer then holds until the
    ///   program ends.
    public func setAuthorization(
        _ answer: AuthorizationAnswer
    ) async throws(UserNotificationError) {
        try await desk.set(answer)
    }
}
