// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsHTTP

/// The keys of one stream, each fetched once in a run and kept in memory only.
final class KeyRing: Sendable {
    private static let keyLength = 16
    private let keys = Lock<[WebAddress: Task<[UInt8], any Error>]>([:])

    /// The key that a segment is encrypted with, nil when it is not.
    func key(for segment: SegmentRecord, route: HTTPClients.Route) async throws -> [UInt8]? {
        guard let address = segment.key?.address else { return nil }
        let task = keys.withLock { keys in
            if let task = keys[address] { return task }
            let task = Task { try await Self.fetch(address, route: route) }
            keys[address] = task
            return task
        }
        do {
            // Segments of one stream are cancelled together, so none is left waiting.
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch {
            keys.withLock { keys in
                if keys[address] == task { keys[address] = nil }
            }
            throw error
        }
    }

    private static func fetch(
        _ address: WebAddress,
        route: HTTPClients.Route
    ) async throws -> [UInt8] {
        let (transfer, body) = try await route.client.fetch(
            route.request(address),
            limit: keyLength * 64
        )
        guard transfer.head.status == 200 else {
            throw DownloadError(status: transfer.head.status, head: transfer.head)
        }
        guard body.count == keyLength else {
            throw DownloadError(
                .wrongKey,
                "The key at \(address.redacted) has \(body.count) bytes instead of \(keyLength); "
                    + "it may need a login."
            )
        }
        return body
    }
}
