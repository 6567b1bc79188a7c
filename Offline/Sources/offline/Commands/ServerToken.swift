// SPDX-License-Identifier: Apache-2.0
import OfflineServer
import OfflineStore

/// The token of a library's server, stored in the registry.
///
/// The token is empty before the first start.
struct ServerToken: RawRepresentable, Sendable {
    let rawValue: String

    /// The stored token, or nil before the first start and for a malformed token, which is
    /// replaced.
    var valid: String? { AccessToken(rawValue)?.text }
}

extension PreferenceKey<ServerToken> {
    static var serverToken: PreferenceKey {
        PreferenceKey("server_token", default: ServerToken(rawValue: ""))
    }
}
