// SPDX-License-Identifier: Apache-2.0
#if NATS
internal import TidingsBridge

/// A server's host and port.
struct ServerAddress: Hashable, Sendable {
    var host: String
    var port = 4222
    var isSecure = false

    /// Reads `nats://HOST:PORT` or `tls://HOST:PORT`, where the scheme and the port may be missing.
    init(_ text: String) throws(TransportError) {
        var rest = text[...]
        for (scheme, isSecure) in [("nats://", false), ("tls://", true)] {
            guard rest.lowercased().hasPrefix(scheme) else { continue }
            rest = rest.dropFirst(scheme.count)
            self.isSecure = isSecure
            break
        }
        if rest.last == "/" { rest = rest.dropLast() }
        // The error does not quote the address, because credentials must not reach a log.
        guard !rest.contains("@") else {
            throw TransportError(
                .malformed,
                "The address contains credentials. Pass them as an identity."
            )
        }
        let malformed = TransportError(.malformed, "The address is not nats://HOST:PORT.")
        guard !rest.contains(where: { "/?# \t\n".contains($0) }) else { throw malformed }
        var portText: Substring?
        if rest.first == "[", let end = rest.firstIndex(of: "]") {
            host = String(rest[rest.index(after: rest.startIndex)..<end])
            let behind = rest[rest.index(after: end)...]
            guard behind.isEmpty || behind.first == ":" else { throw malformed }
            if !behind.isEmpty { portText = behind.dropFirst() }
        } else {
            let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count <= 2 else { throw malformed }
            host = String(parts[0])
            if parts.count == 2 { portText = parts[1] }
        }
        if let portText {
            guard let number = UInt16(portText), number > 0 else { throw malformed }
            port = Int(number)
        }
        guard !host.isEmpty else { throw malformed }
    }
}
#endif
