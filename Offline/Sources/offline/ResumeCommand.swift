// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary

/// `offline resume`: queues paused, failed and missing items again.
struct ResumeCommand {
    let ids: [ItemID]
    let environment: Environment

    func run() async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        for id in ids {
            try await library.retry(id)
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
