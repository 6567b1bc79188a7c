// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineLibrary

/// `offline pause --all`, `resume --all` and `retry --all`.
struct CommonActionCommand {
    let action: CommonAction

    func run(in environment: Environment) async throws -> ExitStatus {
        let library = try await LibraryAccess.open(environment)
        let count = try await library.call(API.items.changeAll, action).changed
        await library.stop()
        let items = count == 1 ? "1 item is" : "\(count) items are"
        switch action {
        case .pause: Terminal.print("\(items) paused. Continue with: offline resume --all")
        case .resume, .retry:
            Terminal.print(
                count == 0
                    ? (action == .retry ? "No item has failed." : "No item is paused.")
                    : library.isServed
                        ? "\(items) queued." : "\(items) queued. `offline serve` downloads them."
            )
        }
        return .success
    }
}
