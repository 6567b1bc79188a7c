// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import OfflineServer

/// The token of a library's server, stored in the registry; empty before the first start.
struct ServerToken: RawRepresentable, Sendable {
    let rawValue: String

    /// The stored token; nil before the first start and for a malformed one, which is replaced.
    var valid: String? { AccessToken(rawValue)?.text }
}

extension PreferenceKey<ServerToken> {
    static var serverToken: PreferenceKey {
        PreferenceKey("server_token", default: ServerToken(rawValue: ""))
    }
}
