// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

extension UserNotificationCenter {
    /// Returns if notifications are allowed; asks the person if there is no answer yet.
    ///
    /// The center asks once, stores the answer and never asks again. Concurrent callers await the
    /// same answer. A question that is closed without an answer throws `.unanswered`; the next call
    /// asks again. After *granted*, further options widen the permissions without a question.
    ///
    /// - Parameter options: The permissions to ask for.
    /// - Throws: ``UserNotificationError``: `.denied`, `.unanswered`, `.cancelled`, `.storeFailed`.
    public func requestAuthorization(
        _ options: AuthorizationOptions = [.alert, .sound, .badge]
    ) async throws(UserNotificationError) {
        try await authorizationPrompt.request(options)
        await started()
        let isNew = state.withLock { state in
            let before = state.allowed
            state.allowed = (before ?? []).union(options)
            return state.allowed != before
        }
        guard isNew else { return }
        save()
        showBadge()
    }

    /// Returns the person's answer so far, without asking.
    ///
    /// The status is ``AuthorizationStatus/unavailable`` if the person has allowed notifications
    /// but the backend cannot show them now. The center posts ``AuthorizationChanged`` when that
    /// changes.
    ///
    /// - Throws: ``UserNotificationError`` with `.storeFailed` if the store cannot be read.
    public func authorizationStatus() async throws(UserNotificationError) -> AuthorizationStatus {
        try await authorizationPrompt.status()
    }

    /// Returns the permissions and the features that the backend can show now, without asking.
    ///
    /// - Throws: ``UserNotificationError`` with `.storeFailed` if the store cannot be read.
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

    /// Stores an answer that the person gave elsewhere, for example in the program's settings.
    ///
    /// The answer takes effect at once. It ends an open question, and its callers get this answer.
    ///
    /// - Throws: ``UserNotificationError`` with `.storeFailed`; the answer then holds until the
    ///   program ends.
    public func setAuthorization(
        _ answer: AuthorizationAnswer
    ) async throws(UserNotificationError) {
        try await authorizationPrompt.set(answer)
    }
}
