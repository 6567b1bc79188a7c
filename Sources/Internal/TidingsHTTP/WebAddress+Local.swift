// SPDX-License-Identifier: Apache-2.0

extension WebAddress {
    /// Whether the written host is this machine or a machine of a private network.
    ///
    /// No name is looked up. A name other than `localhost` is never local, even if the name
    /// resolves to such a machine.
    package var isLocal: Bool {
        if host == "localhost" || host.hasSuffix(".localhost") { return true }
        let number = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        return NetworkAddress(number).map { !$0.isPublic } ?? false
    }
}
