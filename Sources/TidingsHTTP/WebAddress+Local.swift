// SPDX-License-Identifier: Apache-2.0

extension WebAddress {
    /// Whether its host, as it is written, is this machine or one of a private network.
    ///
    /// No name is looked up: one other than `localhost` may lead there and is not local.
    package var isLocal: Bool {
        if host == "localhost" || host.hasSuffix(".localhost") { return true }
        let number = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        return NetworkAddress(number).map { !$0.isPublic } ?? false
    }
}
