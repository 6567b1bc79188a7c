// SPDX-License-Identifier: Apache-2.0
// expect: renamed to 'store(in:)'
import Tidings

struct LoggedIn: Message { let name: String }

func start(_ center: MessageCenter) {
    let bag = ObservationBag()
    center.observe(LoggedIn.self) { message in print(message.name) }.disposed(by: bag)
}
