// SPDX-License-Identifier: Apache-2.0
package import TidingsBridge

#if NATS
import Foundation
import TidingsNATS
#endif

// The only file of the program that uses NATS.
extension HouseholdAddress {
    /// Returns the transport to the server, or nil if this build has no NATS client.
    package func makeTransport() -> (any BridgeTransport)? {
        #if NATS
        var configuration = NATSConfiguration()
        configuration.name = "offline"
        configuration.identity = identity
        // News is useful for days. A full stream drops the oldest news.
        configuration.stream.oldestAge = .seconds(7 * 86_400)
        configuration.stream.largestSize = 64 << 20
        configuration.stream.dropsOldest = true
        return NATSTransport(server, configuration)
        #else
        return nil
        #endif
    }

    #if NATS
    private var identity: NATSIdentity? {
        switch credentials {
        case .token(let token): .token(NATSSecret { token })
        case .user(let name, let password): .user(name, password: NATSSecret { password })
        case .file(let path):
            Self.isMadeByNATS(path) ? .credentials(file: path) : .token(.file(path))
        case nil: nil
        }
    }

    private static func isMadeByNATS(_ path: String) -> Bool {
        let file = FileHandle(forReadingAtPath: path)
        let content = (try? file?.read(upToCount: 1 << 16)) ?? nil
        return content.map { String(decoding: $0, as: UTF8.self).contains("BEGIN NATS USER JWT") }
            ?? false
    }
    #endif
}
