// SPDX-License-Identifier: Apache-2.0
// An observation that ends with its owner, and an observation on the main actor.
import Tidings

struct Progress: Message {
    let percent: Int
}

@MainActor final class Bar {
    private(set) var percent = 0

    func follow(_ center: MessageCenter) {
        center.observe(Progress.self, owner: self, on: .main) { bar, progress in
            bar.percent = progress.percent
        }
    }
}

let center = MessageCenter()
let bar = Bar()
bar.follow(center)
center.post(Progress(percent: 40))
print(bar.percent)
