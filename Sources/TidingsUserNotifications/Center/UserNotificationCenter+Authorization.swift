// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsLock

extension UserNotificationCenter {
    /// Returns whether notifications are allowed, after asking the user if necessary.
    ///
    /// The center asks once, stores the answer and never asks again. Concurrent callers await the
    /// same answer. If the user closes the question without an answer, the status is
    /// ``UserNotificationAuthorizationStatus/notDetermined``, and the next call asks again. After
    /// *granted*, further options widen the permissions without a question.
    ///
    /// - Parameter options: The permissions to ask for.
    /// - Returns: The status. ``UserNotificationAuthorizationStatus/unavailable`` means that the
    ///   user has allowed notifications, but the backend cannot show them now.
    /// - Throws: ``UserNotificationError``: `.cancelled` or `.storeFailed`.
    @discardableResult
    public func requestAuthorization(
        _ options: UserNotificationAuthorizationOptions = [.alert, .sound, .badge]
    ) async throws(UserNotificationError) -> UserNotificationAuthorizationStatus {
        let answer = try await authorizationPrompt.request(options)
        let status = backendAvailability.status(answer)
        guard answer == .granted else { return status }
        await started()
        let isNew = state.withLock { state in
            let before = state.allowed
            state.allowed = (before ?? []).union(options)
            return state.allowed != before
        }
        if isNew {
            save()
            showBadge()
        }
        return status
    }

    /// Returns the user's answer so far, without asking.
    ///
    /// - Throws: ``UserNotificationError`` with `.storeFailed` if the store cannot be read.
    package func authorizationStatus() async throws(UserNotificationError)
        -> UserNotificationAuthorizationStatus
    {
        try await authorizationPrompt.status()
    }

    /// Returns the user's answer so far and the features that can be shown now, without asking.
    ///
    /// The status is ``UserNotificationAuthorizationStatus/unavailable`` if the user has allowed
    /// notifications but the backend cannot show them now. The center posts
    /// ``UserNotificationAuthorizationChanged`` when the status changes.
    ///
    /// - Throws: ``UserNotificationError`` with `.storeFailed` if the store cannot be read.
    public func settings() async throws(UserNotificationError) -> UserNotificationSettings {
        let status = try await authorizationStatus()
        let features = backend.features
        var allowed = status == .authorized ? state.withLock(\.allowed) ?? .all : []
        if !features.contains(.sound) { allowed.remove(.sound) }
        if !features.contains(.badge) { allowed.remove(.badge) }
        return UserNotificationSettings(status: status, features: features, allowed: allowed)
    }

    /// Stores an answer that the user gave elsewhere, for example in the program's settings.
    ///
    /// The answer takes effect immediately and ends an open question, whose callers get this
    /// answer.
    ///
    /// - Parameter granted: Whether the program may notify.
    /// - Throws: ``UserNotificationError`` with `.storeFailed`, after which the answer holds until
    ///   the program ends.
    public func setAuthorization(granted: Bool) async throws(UserNotificationError) {
        try await authorizationPrompt.set(granted ? .granted : .denied)
    }

    /// Stores an answer, for tests.
    package func setAuthorization(
        _ answer: AuthorizationAnswer
    ) async throws(UserNotificationError) {
        try await authorizationPrompt.set(answer)
    }
}
