// SPDX-License-Identifier: Apache-2.0

/// The user's answer to the request for authorization.
package enum AuthorizationAnswer: String, Hashable, Sendable, Codable {
    /// The program may notify.
    case granted
    /// The program must not notify.
    case denied

    /// Creates an answer, or nil if the answer is missing.
    init?(isGranted: Bool?) {
        guard let isGranted else { return nil }
        self = isGranted ? .granted : .denied
    }
}

/// Whether a program may notify.
@nonexhaustive public enum UserNotificationAuthorizationStatus: Hashable, Sendable {
    /// The user has not answered yet.
    case notDetermined
    /// The user has denied notifications.
    case denied
    /// The user has allowed notifications.
    case authorized
    /// The user has allowed notifications, but the backend cannot show them now.
    case unavailable

    init(_ answer: AuthorizationAnswer?) {
        self =
            switch answer {
            case .granted: .authorized
            case .denied: .denied
            case nil: .notDetermined
            }
    }
}
