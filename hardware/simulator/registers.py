"""The MFRC522's registers: addresses, reset values, and which bits a host may write.

Law: only what the data sheet says (section 9). Bits a host may not write keep their value, and
bits that are write-only read as zero; the chip acts on those when they are written.
"""

COMMAND = 0x01
COM_IEN = 0x02
DIV_IEN = 0x03
COM_IRQ = 0x04
DIV_IRQ = 0x05
ERROR = 0x06
STATUS1 = 0x07
STATUS2 = 0x08
FIFO_DATA = 0x09
FIFO_LEVEL = 0x0A
WATER_LEVEL = 0x0B
CONTROL = 0x0C
BIT_FRAMING = 0x0D
COLL = 0x0E
MODE = 0x11
TX_MODE = 0x12
RX_MODE = 0x13
TX_CONTROL = 0x14
TX_ASK = 0x15
TX_SEL = 0x16
RX_SEL = 0x17
RX_THRESHOLD = 0x18
DEMOD = 0x19
MF_TX = 0x1C
MF_RX = 0x1D
SERIAL_SPEED = 0x1F
CRC_RESULT_HIGH = 0x21
CRC_RESULT_LOW = 0x22
MOD_WIDTH = 0x24
RF_CFG = 0x26
GS_N = 0x27
CW_GS_P = 0x28
MOD_GS_P = 0x29
T_MODE = 0x2A
T_PRESCALER = 0x2B
T_RELOAD_HIGH = 0x2C
T_RELOAD_LOW = 0x2D
T_COUNTER_HIGH = 0x2E
T_COUNTER_LOW = 0x2F
TEST_SEL1 = 0x31
TEST_SEL2 = 0x32
TEST_PIN_EN = 0x33
TEST_PIN_VALUE = 0x34
AUTO_TEST = 0x36
VERSION = 0x37
ANALOG_TEST = 0x38
TEST_DAC1 = 0x39
TEST_DAC2 = 0x3A

COUNT = 64

# ComIrqReg
SET1 = 0x80
TX_IRQ = 0x40
RX_IRQ = 0x20
IDLE_IRQ = 0x10
HI_ALERT_IRQ = 0x08
LO_ALERT_IRQ = 0x04
ERR_IRQ = 0x02
TIMER_IRQ = 0x01
# DivIrqReg
CRC_IRQ = 0x04
# ErrorReg
WR_ERR = 0x80
TEMP_ERR = 0x40
BUFFER_OVFL = 0x10
COLL_ERR = 0x08
CRC_ERR = 0x04
PARITY_ERR = 0x02
PROTOCOL_ERR = 0x01
# the rest
RCV_OFF = 0x20
POWER_DOWN = 0x10
CRYPTO_ON = 0x08
START_SEND = 0x80
VALUES_AFTER_COLL = 0x80
COLL_POS_NOT_VALID = 0x20
CRC_EN = 0x80
FORCE_100_ASK = 0x40
INV_TX2_RF_ON, INV_TX1_RF_ON = 0x80, 0x40
TX2_CW, TX2_RF_EN, TX1_RF_EN = 0x08, 0x02, 0x01
FLUSH_BUFFER = 0x80
T_STOP_NOW = 0x80
T_START_NOW = 0x40
T_AUTO = 0x80
T_AUTO_RESTART = 0x10

RESET = bytearray(COUNT)
"""Values after a reset; where the data sheet says x, what cannot be mistaken for news."""
for _address, _value in {
    COMMAND: 0x20,
    COM_IEN: 0x80,
    COM_IRQ: 0x14,
    STATUS1: 0x21,
    WATER_LEVEL: 0x08,
    CONTROL: 0x10,
    COLL: 0xA0,
    MODE: 0x3F,
    TX_CONTROL: 0x80,
    TX_SEL: 0x10,
    RX_SEL: 0x84,
    RX_THRESHOLD: 0x84,
    DEMOD: 0x4D,
    MF_TX: 0x62,
    SERIAL_SPEED: 0xEB,
    CRC_RESULT_HIGH: 0xFF,
    CRC_RESULT_LOW: 0xFF,
    0x23: 0x88,
    MOD_WIDTH: 0x26,
    0x25: 0x87,
    RF_CFG: 0x48,
    GS_N: 0x88,
    CW_GS_P: 0x20,
    MOD_GS_P: 0x20,
    TEST_PIN_EN: 0x80,
    AUTO_TEST: 0x40,
    0x3C: 0xFF,
    0x3E: 0x03,
}.items():
    RESET[_address] = _value

WRITABLE = bytearray(COUNT)
"""The bits of each register that a host's write simply changes."""
for _address, _value in {
    COM_IEN: 0xFF,
    DIV_IEN: 0x94,
    STATUS2: 0xC0,
    WATER_LEVEL: 0x3F,
    BIT_FRAMING: 0x77,
    COLL: 0x80,
    MODE: 0xAB,
    TX_MODE: 0xF8,
    RX_MODE: 0xFC,
    TX_CONTROL: 0xFB,
    TX_ASK: 0x40,
    TX_SEL: 0x3F,
    RX_SEL: 0xFF,
    RX_THRESHOLD: 0xF7,
    DEMOD: 0xFF,
    MF_TX: 0x03,
    MF_RX: 0x10,
    SERIAL_SPEED: 0xFF,
    MOD_WIDTH: 0xFF,
    RF_CFG: 0x70,
    GS_N: 0xFF,
    CW_GS_P: 0x3F,
    MOD_GS_P: 0x3F,
    T_MODE: 0xFF,
    T_PRESCALER: 0xFF,
    T_RELOAD_HIGH: 0xFF,
    T_RELOAD_LOW: 0xFF,
    TEST_SEL1: 0x07,
    TEST_SEL2: 0xFF,
    TEST_PIN_EN: 0xFF,
    TEST_PIN_VALUE: 0xFF,
    AUTO_TEST: 0x4F,
    ANALOG_TEST: 0xFF,
    TEST_DAC1: 0x3F,
    TEST_DAC2: 0x3F,
}.items():
    WRITABLE[_address] = _value
