// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// The secret of a library's server as the registry remembers it; empty before the first one.
struct ServerToken: RawRepresentable, Sendable {
    let rawValue: String
}

extension PreferenceKey<ServerToken> {
    static var serverToken: PreferenceKey {
        PreferenceKey("server_token", default: ServerToken(rawValue: ""))
    }
}
