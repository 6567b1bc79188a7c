// SPDX-License-Identifier: Apache-2.0

/// The person's answer to the request for authorization.
package enum AuthorizationAnswer: String, Hashable, Sendable, Codable {
    /// The program may notify.
    case granted
    /// The program must not notify.
    case denied

    /// Creates an answer from one that may be missing.
    init?(isGranted: Bool?) {
        guard let isGranted else { return nil }
        self = isGranted ? .granted : .denied
    }
}

/// Whether a program may notify.
@nonexhaustive public enum UserNotificationAuthorizationStatus: Hashable, Sendable {
    /// There is no answer yet.
    case notDetermined
    /// The person has denied notifications.
    case denied
    /// The person has allowed notifications.
    case authorized
    /// The person has allowed notifications, but the backend cannot show them now.
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
