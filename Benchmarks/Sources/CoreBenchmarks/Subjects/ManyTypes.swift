// SPDX-License-Identifier: Apache-2.0
import Tidings

/// Part of the name of a type.
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

/// Ten thousand types of message: the compiler knows none of them, they are made as the program
/// asks for them.
struct Numbered<A: Digit, B: Digit, C: Digit, D: Digit>: Message {
    let number: Int
}

/// A center on which each of the ten thousand is observed.
final class ManyTypes {
    let center = MessageCenter()
    private var tokens: [ObservationToken] = []

    private static let digits: [any Digit.Type] = [
        Zero.self, One.self, Two.self, Three.self, Four.self,
        Five.self, Six.self, Seven.self, Eight.self, Nine.self,
    ]

    init() {
        for first in Self.digits {
            for second in Self.digits {
                for third in Self.digits {
                    for fourth in Self.digits { observe(first, second, third, fourth) }
                }
            }
        }
    }

    private func observe<A: Digit, B: Digit, C: Digit, D: Digit>(
        _: A.Type,
        _: B.Type,
        _: C.Type,
        _: D.Type
    ) {
        tokens.append(center.observe(Numbered<A, B, C, D>.self) { work($0.number) })
    }
}

/// A center that posts one of those types.
final class GenericPosting {
    private typealias Posted = Numbered<Three, One, Four, One>

    private let center: MessageCenter
    private let token: ObservationToken?
    private let others: ManyTypes?

    init(beside others: ManyTypes?) {
        let center = others?.center ?? MessageCenter()
        self.center = center
        self.others = others
        token = others == nil ? center.observe(Posted.self) { work($0.number) } : nil
    }

    var subject: Subject {
        let name = others == nil ? "generic post alone" : "generic post among types"
        return Subject(name) { [self] in
            for number in 0..<$0 { center.post(Posted(number: number)) }
        }
    }
}
