// SPDX-License-Identifier: Apache-2.0
import Benchmarking
import Tidings

/// A center with `count` observers.
final class Posting {
    private let center: MessageCenter
    private let tokens: [ObservationToken]
    private let others: ManyTypes?

    init(_ count: Int, beside others: ManyTypes? = nil) {
        let center = others?.center ?? MessageCenter()
        self.center = center
        self.others = others
        tokens = (0..<count).map { _ in center.observe(Tick.self) { work($0.number) } }
    }

    var subject: Subject { subject(named: "post to \(tokens.count)") }

    func subject(named name: String) -> Subject {
        Subject(name) { [self] in
            for number in 0..<$0 { center.post(Tick(number: number)) }
        }
    }
}
