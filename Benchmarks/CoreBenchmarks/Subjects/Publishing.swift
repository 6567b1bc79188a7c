// SPDX-License-Identifier: Apache-2.0
import Benchmarking
import Tidings

/// A publisher with `count` owner-bound observers.
final class Publishing {
    private let publisher = StatePublisher<Int>()
    private let owners: [Owner]

    init(_ count: Int) {
        owners = (0..<count).map { _ in Owner() }
        for owner in owners {
            publisher.observe(owner: owner) { _, state in work(state.value ?? 0) }
        }
    }

    var subject: Subject {
        Subject("change for \(owners.count) owners") { [self] in
            for number in 0..<$0 { publisher.updateData(number) }
        }
    }
}
