// SPDX-License-Identifier: Apache-2.0

/// Runs all bodies until the first throws or returns, then cancels and awaits the rest.
///
/// - Throws: The error of the first body that ended.
func race(_ bodies: [@Sendable () async throws -> Void]) async throws(TransportError) {
    let end = await withTaskGroup(of: TransportError?.self) { group in
        for body in bodies {
            group.addTask {
                do {
                    try await body()
                    return nil
                } catch let error as TransportError {
                    return error
                } catch {
                    return TransportError(.other, "\(error)")
                }
            }
        }
        let first = await group.next() ?? nil
        group.cancelAll()
        return first
    }
    if let end { throw end }
}
