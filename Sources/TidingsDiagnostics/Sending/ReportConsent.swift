// SPDX-License-Identifier: Apache-2.0

/// Whether the user allows reports to be sent.
///
/// Consent concerns sending only: reports are made and kept on this machine in any case. It is
/// stored with the reports and takes effect as soon as it is set.
@nonexhaustive public enum ReportConsent: String, Hashable, Sendable, Codable, CaseIterable {
    /// The user was not asked; nothing is sent.
    case unknown
    /// Reports are sent.
    case given
    /// The user has refused or revoked consent; nothing is sent.
    case revoked
}
