// SPDX-License-Identifier: Apache-2.0

/// Whether the user allows reports to be sent.
///
/// It is about sending alone: reports are made and kept on this machine whatever it says. It is
/// stored with them and holds from the moment it is set.
@nonexhaustive public enum ReportConsent: String, Hashable, Sendable, Codable, CaseIterable {
    /// The user was not asked; nothing is sent.
    case unknown
    /// Reports are sent.
    case given
    /// The user does not want it, or does not want it any more; nothing is sent.
    case revoked
}
