// SPDX-License-Identifier: Apache-2.0
import Benchmarking
import Tidings

/// A digit in the number of a message type.
protocol Digit: SendableMetatype {}
enum Zero: Digit {}
enum One: Digit {}
enum Two: Digit {}
enum Three: Digit {}
enum Four: Digit {}
enum Five: Digit {}
enum Six: Digit {}
enum Seven: Digit {}
enum Eight: Digit {}
enum Nine: Digit {}

/// Ten thousand message types, which the runtime instantiates when the program uses them.
struct Numbered<A: Digit, B: Digit, C: Digit, D: Digit>: Message {
    let number: Int
}

/// A center that observes a range of these ten thousand types.
final class ManyTypes {
    let center = MessageCenter()
    private var tokens: [ObservationToken] = []
    private var posters: [(Int) -> Void] = []

    private static let digits: [any Digit.Type] = [
        Zero.self, One.self, Two.self, Three.self, Four.self,
        Five.self, Six.self, Seven.self, Eight.self, Nine.self,
    ]

    init(_ numbers: ClosedRange<Int> = 0...9_999) {
        for number in numbers {
            let digits = [number / 1_000, number / 100, number / 10, number].map {
                Self.digits[$0 % 10]
            }
            observe(digits[0], digits[1], digits[2], digits[3])
        }
    }

    private func observe<A: Digit, B: Digit, C: Digit, D: Digit>(
        _: A.Type,
        _: B.Type,
        _: C.Type,
        _: D.Type
    ) {
        tokens.append(center.observe(Numbered<A, B, C, D>.self) { work($0.number) })
        posters.append { [center] in center.post(Numbered<A, B, C, D>(number: $0)) }
    }

    /// Posts all types in turn.
    func postingInTurn() -> Subject {
        Subject("posts of \(posters.count) types in turn") { [self] count in
            var index = 0
            for number in 0..<count {
                posters[index](number)
                index = index + 1 == posters.count ? 0 : index + 1
            }
        }
    }

    /// Posts one type repeatedly.
    func posting(named name: String) -> Subject {
        Subject(name) { [self] in
            for number in 0..<$0 {
                center.post(Numbered<Three, One, Four, One>(number: number))
            }
        }
    }
}
