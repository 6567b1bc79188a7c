// SPDX-License-Identifier: Apache-2.0
import TidingsTesting

@testable import Tidings
@testable import TidingsResources

/// The sources of a family with the keys 1 to 9, each with a separate script.
struct FamilyScripts: Sendable {
    private let scripts = (0..<10).map { _ in LoadScript<Int>() }

    subscript(key: Int) -> LoadScript<Int> { scripts[key] }

    func family(
        _ options: ResourceOptions = ResourceOptions(),
        idleLimit: Int = 100,
        clock: ManualClock = ManualClock()
    ) -> ResourceFamily<Int, Int> {
        ResourceFamily(options: options, idleLimit: idleLimit, clock: clock) { key in
            try await scripts[key].load()
        }
    }

    /// Starts a load of a key and waits until the source was called.
    func begin(_ key: Int, of family: ResourceFamily<Int, Int>) async throws {
        family[key].refreshIfNeeded()
        try await scripts[key].waitForCalls(1)
    }
}
