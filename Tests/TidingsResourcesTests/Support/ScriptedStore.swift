// SPDX-License-Identifier: Apache-2.0
import Tidings
import TidingsCoreFixtures
import TidingsLock
import TidingsTesting

@testable import TidingsResources

/// A store in memory that can fail, and whose reading a test can hold.
final class ScriptedStore: ResourceStore {
    let steps = Log<String>()
    private let content: Lock<StoredCopy<Int>?>
    private let failure: Lock<LoadFailure?>
    let reading = Gate()
    let begun = Gate()

    init(
        _ content: Int?,
        loadedAt: Duration? = nil,
        failure: LoadFailure? = nil,
        isHeld: Bool = false
    ) {
        self.content = Lock(content.map { StoredCopy($0, loadedAt: loadedAt) })
        self.failure = Lock(failure)
        if !isHeld { reading.open() }
    }

    /// The stored copy.
    var copy: StoredCopy<Int>? { content.withLock { $0 } }

    func heal() { failure.withLock { $0 = nil } }

    func read() async throws -> StoredCopy<Int>? {
        steps("read")
        begun.open()
        try await reading.wait()
        try check()
        return content.withLock { $0 }
    }

    func write(_ copy: StoredCopy<Int>) async throws {
        steps("write \(copy.value)")
        try check()
        content.withLock { $0 = copy }
    }

    func remove() async throws {
        steps("remove")
        content.withLock { $0 = nil }
    }

    private func check() throws {
        if let failure = failure.withLock({ $0 }) { throw failure }
    }
}
