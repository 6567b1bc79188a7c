// SPDX-License-Identifier: Apache-2.0

/// Whether the user allows reports to be sent.
///
/// Consent concerns sending only. Reports are made and kept on this machine in any case. Consent is
/// stored with the reports and takes effect as soon as it is set.
@nonexhaustive public enum ReportConsent: String, Hashable, Sendable, Codable, CaseIterable {
    /// The user was not asked, and nothing is sent.
    case unknown
    /// Reports are sent.
    case given
    /// The user has refused or revoked consent, and nothing is sent.
    case revoked
}
