// SPDX-License-Identifier: Apache-2.0

/// What a person answered when asked whether the program may notify.
public enum AuthorizationAnswer: String, Hashable, Sendable, Codable {
    /// Notifications are welcome.
    case granted
    /// Notifications are not wanted.
    case denied
}

/// Whether a program may notify.
@nonexhaustive public enum AuthorizationStatus: String, Hashable, Sendable, Codable {
    /// Nobody has answered yet.
    case notDetermined
    /// The person does not want it.
    case denied
    /// The person has allowed it.
    case authorized
    /// The person has allowed it, but nobody shows notifications now.
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
