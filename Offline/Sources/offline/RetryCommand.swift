// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import TidingsHTTP

/// `offline retry`: queues paused, failed and missing items again, one perhaps at a new address.
struct RetryCommand {
    let ids: [ItemID]
    let address: WebAddress?
    let environment: Environment

    func run() async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        for id in ids {
            try await library.retry(id, at: address)
            Terminal.print(
                library.isServed
                    ? "Item \(id) is queued. The running server downloads it."
                    : "Item \(id) is queued. It downloads when `offline serve` runs."
            )
        }
        await library.stop()
        return .success
    }
}
